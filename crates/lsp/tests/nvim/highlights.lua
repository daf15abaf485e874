-- Opens a text as the README of the grammar says, and records the captures of the highlighter.
local function run()
  if not vim.treesitter.start then
    -- Nvim 0.7
    vim.g.do_filetype_lua = 1
    vim.treesitter.start = function()
      vim.treesitter.highlighter.new(vim.treesitter.get_parser(0, "visaasm"))
    end
  end
  vim.cmd("luafile readme.lua")
  vim.cmd("filetype on")
  vim.cmd("edit collatz.visaasm")
  assert(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()], "there is no highlighter")
  vim.cmd("redraw")

  local get_query = vim.treesitter.query.get or vim.treesitter.query.get_query
  local get_text = vim.treesitter.get_node_text or vim.treesitter.query.get_node_text
  local query = get_query("visaasm", "highlights")
  local root = vim.treesitter.get_parser(0, "visaasm"):parse()[1]:root()
  assert(not root:has_error(), "the text has an error")
  local names, last = {}, {}
  for id, node in query:iter_captures(root, 0, 0, -1) do
    -- Of several captures of a node, the last takes precedence.
    local key = table.concat({ node:range() }, " ")
    names[key] = query.captures[id] .. " " .. get_text(node, 0)
    table.insert(last, key)
  end
  local record = assert(io.open("record", "w"))
  for _, key in ipairs(last) do
    record:write(names[key], "\n")
  end
  record:close()
end

local ok, problem = xpcall(run, debug.traceback)
if not ok then
  io.stderr:write(problem, "\n")
  vim.cmd("cquit")
end
vim.cmd("qall!")
