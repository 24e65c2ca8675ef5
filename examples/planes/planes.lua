-- Interleaved RGB bytes to three planes, the last axis in three parts of one byte, and back again.
-- The size of the image comes from outside: splitgen -D width=240 -D height=160 planes.lua
local shape = { param("height", 1080), param("width", 1920), 3 }
local colours = { "red", "green", "blue" }

return {
  split { name = "rgb_to_planes", dtype = "u8", shape = shape, axis = -1, parts = 3, outputs = colours },
  concat { name = "planes_to_rgb", dtype = "u8", shape = shape, axis = -1, parts = 3, inputs = colours },
}
