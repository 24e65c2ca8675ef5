-- Parts too narrow for their scale, one that nobody wants, and a title of more than a line.
-- digest: svg
return split {
  name = "a_detection_head_with_a_name_that_needs_more_than_one_line_of_the_picture_to_be_written_down_in_full", dtype = "f32",
  shape = { 4, 3001 }, axis = 1, lengths = { 1, 2990, 1, 8, 1 }, outputs = { "box", "scores", "objectness", false, "angle" },
}
