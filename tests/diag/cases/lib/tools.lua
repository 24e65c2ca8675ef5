-- Helpers for the cases beside this folder.
local M = {}

function M.half(dtype, width)
  local rows = width.rows.count
  return split { dtype = dtype, shape = { rows, width }, parts = 2 }
end

return M
