-- Starts `genvisa lsp` for texts of vISA, and for sources that can contain inline assembly.
local M = {}

local defaults = {
  cmd = { "genvisa", "lsp" },
  filetypes = { "visaasm", "c", "cpp", "opencl" },
  -- The settings of the server, such as { platform = "DG2" }.
  settings = vim.empty_dict(),
}

-- Attaches the server to a buffer. All buffers share one server.
function M.start(buffer)
  local config = {
    name = "genvisa",
    cmd = M.options.cmd,
    root_dir = vim.fn.getcwd(),
    init_options = M.options.settings,
    settings = { genvisa = M.options.settings },
    on_attach = M.options.on_attach,
    get_language_id = function(_, filetype)
      return filetype
    end,
  }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  -- Nvim 0.7
  if not M.client or vim.lsp.client_is_stopped(M.client) then
    M.client = vim.lsp.start_client(config)
  end
  vim.lsp.buf_attach_client(buffer, M.client)
  return M.client
end

function M.setup(options)
  M.options = vim.tbl_extend("force", defaults, options or {})
  vim.api.nvim_create_autocmd("FileType", {
    pattern = M.options.filetypes,
    callback = function(event)
      M.start(event.buf or tonumber(vim.fn.expand("<abuf>")))
    end,
  })
end

return M
