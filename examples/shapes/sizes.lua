-- Sizes shared by specs. After a change of this file, a build regenerates the kernels of the specs that require it.
local head = 16
return { model = 4 * head, heads = { 2 * head, head, head } }
