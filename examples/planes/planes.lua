-- Interleaved RGB bytes to three planes: the last axis in three parts of one byte.
-- The size of the image comes from outside: splitgen -D width=240 -D height=160 planes.lua
return split {
  name    = "rgb_to_planes",
  dtype   = "u8",
  shape   = { param("height", 1080), param("width", 1920), 3 },
  axis    = -1,
  parts   = 3,
  outputs = { "red", "green", "blue" },
}
