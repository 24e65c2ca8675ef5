-- Sizes shared by specs. Changing this file makes the kernels that require it again.
local head = 16
return { model = 4 * head, heads = { 2 * head, head, head } }
