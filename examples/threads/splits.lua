-- Three splits of about the same size and very different shapes, which are divided into tasks in different ways.
return {
  -- Many rows of uneven columns, divided between rows. A batch of fused projections.
  split { name = "tokens", dtype = "f32", shape = { param("tokens", 2048), 2304 }, axis = -1,
          lengths = { 1536, 512, 256 }, outputs = { "q", "k", "v" } },
  -- Many short rows, also divided between rows, at multiples of 64. Interleaved pixels.
  split { name = "pixels", dtype = "u8", shape = { param("height", 2160), 3840, 3 }, axis = -1,
          parts = 3, outputs = { "r", "g", "b" } },
  -- One row, mostly one part: divided by bytes, regardless of where the parts begin and end.
  split { name = "weights", dtype = "f32", shape = { param("weights", 4718592) },
          lengths = { 1000, -1, 24 }, outputs = { "bias", "matrix", "scale" } },
}
