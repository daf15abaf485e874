;;; visaasm-mode.el --- Major mode for GEN vISA text -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT
;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; The language server `genvisa lsp' provides everything but comments and strings.

;;; Code:

(require 'eglot)

(defgroup visaasm nil
  "GEN vISA text."
  :group 'languages)

(defcustom visaasm-server-command '("genvisa" "lsp")
  "The command that starts the language server."
  :type '(repeat string))

(defcustom visaasm-settings nil
  "The settings of the server, as a property list such as (:platform \"DG2\")."
  :type 'plist)

(defvar visaasm-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23b" table)
    (modify-syntax-entry ?\n ">" table)
    (dolist (character '(?_ ?$ ?@ ??  ?%))
      (modify-syntax-entry character "_" table))
    table)
  "The syntax of comments, strings and names.")

(defvar visaasm-font-lock-keywords
  '(("^\\s-*\\(\\.[a-z_]+\\)" 1 font-lock-preprocessor-face)
    ("^\\([A-Za-z_$@?][A-Za-z0-9_$@?-]*\\):" 1 font-lock-constant-face)
    ("^\\s-+\\(?:([^)\n]*)\\s-*\\)?\\([A-Za-z][A-Za-z0-9_]*\\)" 1 font-lock-keyword-face))
  "The positions of directives, labels and mnemonics.")

;;;###autoload
(define-derived-mode visaasm-mode prog-mode "vISA"
  "Major mode for GEN vISA text."
  (setq-local comment-start "// "
              comment-start-skip "//+\\s-*"
              font-lock-defaults '(visaasm-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.visaasm\\'" . visaasm-mode))

(defun visaasm--server (_interactive)
  "Return the command of the server with its settings."
  (append visaasm-server-command
          (list :initializationOptions (or visaasm-settings (make-hash-table)))))

(add-to-list 'eglot-server-programs
             '((visaasm-mode :language-id "visaasm") . visaasm--server))

(provide 'visaasm-mode)
;;; visaasm-mode.el ends here
