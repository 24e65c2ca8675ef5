-- Interleaved RGB bytes to three planes and back. The last axis has three parts of one byte. The size of the image is a
-- parameter: splitgen -D width=240 -D height=160 planes.lua
local shape = { param("height", 1080), param("width", 1920), 3 }
local colours = { "red", "green", "blue" }

return {
  split { name = "rgb_to_planes", dtype = "u8", shape = shape, axis = -1, parts = 3, outputs = colours },
  concat { name = "planes_to_rgb", dtype = "u8", shape = shape, axis = -1, parts = 3, inputs = colours },
}
