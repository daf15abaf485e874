-- A session with the language server: opens a dump and a C source, and checks what the client shows.
-- Arguments: the program, a text of vISA, a C source with a mistake, and the file for the record.
local program, dump, source, record = unpack(vim.split(vim.env.GENVISA_SESSION, "\n"))
local log = io.open(record, "w")

local function say(...)
  log:write(table.concat({ ... }, " "), "\n")
end

local function check(condition, ...)
  say(condition and "ok" or "FAILED", ...)
  if not condition then
    log:close()
    vim.cmd("cquit")
  end
end

-- Errors of a script do not end Nvim.
local function run()
  require("visaasm").setup({ cmd = { program, "lsp" }, settings = { platform = "DG2" } })

  local function wait(what, condition)
    check(vim.wait(20000, condition, 20), what)
  end

  local function attached()
    for _, client in pairs(vim.lsp.buf_get_clients(0)) do
      if client.initialized then
        return true
      end
    end
    return false
  end

  local function request(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
    for _, answer in pairs(answers) do
      return answer.result, answer.error
    end
  end

  local function here(params)
    return vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), params or {})
  end

  -- A dump.
  vim.cmd("edit " .. vim.fn.fnameescape(dump))
  check(vim.bo.filetype == "visaasm", "the type of the file is visaasm")
  wait("the server is attached to the dump", attached)
  check(vim.fn.synIDattr(vim.fn.synID(vim.fn.search("^\\.decl"), 2, 1), "name") == "visaasmDirective",
    "a directive is highlighted")

  -- Highlighting without a server agrees with the parser.
  local groups = {
    comment = { "visaasmComment" },
    decorator = { "visaasmAnnotation" },
    macro = { "visaasmDirective" },
    -- Attributes without a value look like names.
    property = { "visaasmKey", "visaasmName" },
    keyword = { "visaasmMnemonic" },
    modifier = { "visaasmWord" },
    type = { "visaasmType" },
    number = { "visaasmNumber" },
    -- `v_name=x` has no quotes.
    string = { "visaasmString", "visaasmWord" },
    variable = { "visaasmName" },
    -- `.function` has the label in quotes.
    enumMember = { "visaasmName", "visaasmString" },
    ["function"] = { "visaasmString", "visaasmName" },
  }
  local client = select(2, next(vim.lsp.buf_get_clients(0)))
  local legend = client.server_capabilities.semanticTokensProvider.legend.tokenTypes
  local tokens = request("textDocument/semanticTokens/full", { textDocument = vim.lsp.util.make_text_document_params() })
  local line, column, differences = 0, 0, 0
  for i = 1, #tokens.data, 5 do
    if tokens.data[i] > 0 then
      column = 0
    end
    line = line + tokens.data[i]
    column = column + tokens.data[i + 1]
    local kind = legend[tokens.data[i + 3] + 1]
    local group = vim.fn.synIDattr(vim.fn.synID(line + 1, column + 1, 1), "name")
    if not vim.tbl_contains(groups[kind], group) then
      differences = differences + 1
      if differences < 10 then
        say("difference", line + 1, column + 1, kind, group, vim.fn.getline(line + 1))
      end
    end
  end
  check(differences == 0, "the syntax file agrees with", #tokens.data / 5, "tokens of the parser")

  -- Hover.
  vim.fn.cursor(1, 1)
  vim.fn.search("^    \\zsmov (M1")
  local hover = request("textDocument/hover", here())
  check(hover and hover.contents.value:find("(exec) dst src0", 1, true), "hover on mov shows its syntax")

  -- A mistake, its diagnostic, and its removal.
  vim.cmd("normal! ix")
  local mistaken = vim.fn.line(".")
  wait("a diagnostic on the line of the mistake", function()
    for _, found in ipairs(vim.diagnostic.get(0)) do
      if found.lnum + 1 == mistaken and found.severity == vim.diagnostic.severity.ERROR then
        say("diagnostic:", found.message)
        return true
      end
    end
    return false
  end)
  vim.cmd("undo 0")
  wait("the diagnostic is gone", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)

  -- Completion of a mnemonic in a new line.
  vim.fn.cursor(1, 1)
  vim.fn.search("^    ret (M1")
  vim.cmd("normal! O    ad")
  vim.fn.cursor(vim.fn.line("."), 7)
  vim.cmd("startinsert!")
  local params = here()
  params.position.character = 6
  local items = request("textDocument/completion", params)
  local labels = {}
  for _, item in ipairs(items.items or items) do
    labels[item.label] = true
  end
  check(labels["add"] and labels["addc"], "completion offers add and addc")
  check(not labels["GRF"], "completion does not offer words of other places")
  vim.cmd("stopinsert")
  vim.cmd("undo 0")

  -- Rename, and the whole text formatted.
  vim.fn.cursor(1, 1)
  vim.fn.search("^\\.decl \\zs\\h")
  local name = vim.fn.expand("<cword>")
  local before = vim.fn.getline(1, "$")
  local _, refused = request("textDocument/rename", here({ newName = "%null" }))
  check(refused ~= nil, "a predefined name is refused:", refused and refused.message or "")
  vim.lsp.buf.rename("renamed_by_nvim")
  wait("rename changes the declaration", function()
    return vim.fn.expand("<cword>") == "renamed_by_nvim"
  end)
  local text = table.concat(vim.fn.getline(1, "$"), "\n")
  check(not text:find("%f[%w_]" .. name .. "%f[^%w_]"), "no use of `" .. name .. "` is left")
  vim.lsp.buf.rename(name)
  wait("rename back restores the text", function()
    return vim.deep_equal(vim.fn.getline(1, "$"), before)
  end)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ async = false, timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync(nil, 20000)
  end
  local formatted = table.concat(vim.fn.getline(1, "$"), "\n") .. "\n"
  local expected = vim.fn.system(vim.fn.shellescape(program) .. " --quiet fmt " .. vim.fn.shellescape(dump) .. " 2>/dev/null")
  check(formatted == expected, "the formatted text is what `genvisa fmt` prints")

  -- Definition and references.
  vim.fn.search("^\\.decl \\zs\\h")
  local at = here()
  local references = request("textDocument/references", here({ context = { includeDeclaration = true } }))
  check(#references > 0, #references, "references")
  local last = references[#references].range.start
  vim.fn.cursor(last.line + 1, last.character + 1)
  local definition = request("textDocument/definition", here())
  check(vim.deep_equal(definition.range.start, at.position), "the definition of the last reference")

  -- Inline assembly.
  vim.cmd("edit! " .. vim.fn.fnameescape(source))
  wait("the server is attached to the C source", attached)
  wait("a finding about inline assembly", function()
    return #vim.diagnostic.get(0) > 0
  end)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    say("finding in line", found.lnum + 1 .. ":", vim.split(found.message, "\n")[1])
  end
  vim.fn.cursor(1, 1)
  vim.fn.search("\\zsmov (M1")
  hover = request("textDocument/hover", here())
  check(hover and hover.contents.value:find("(exec) dst src0", 1, true), "hover in a template")
  say("done")
end

local ok, problem = xpcall(run, debug.traceback)
if not ok then
  say("FAILED", problem)
  log:close()
  vim.cmd("cquit")
end
log:close()
vim.cmd("qall!")
