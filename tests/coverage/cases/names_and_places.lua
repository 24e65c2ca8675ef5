-- The text of names, macros and sections.
-- options: --export-macro API --section .text.kernels
-- options: --dispatch=static --isa=portable
-- options: --isa=avx512 --non-temporal=never
return {
  split { name = "quoted", dtype = "f32", shape = { 4, 6 }, axis = 1, lengths = { 2, 4 }, outputs = { 'a"b\\c?\n\1', "plain" } },
  split { name = "empty", dtype = "f64", shape = { 0, 4 }, axis = 1, lengths = { 1, 3 } },
  split { name = "a_name_so_long_that_what_stands_behind_it_has_no_room_left_on_the_line_with_it_anywhere", dtype = "c128",
          shape = { 3, 20 }, axis = 1, lengths = { 9, 11 },
          outputs = { "an_output_whose_name_is_nearly_as_long_as_that_of_the_kernel_it_belongs_to_here", "b" } },
  split { name = "aligned", dtype = "f32", shape = { 64, 256 }, axis = 1, lengths = { 128, 128 }, align = 64 },
  split { name = "planes", dtype = "u3", shape = { 2, 24 }, axis = 1, lengths = { 8, 16 }, packing = "planes" },
  split { name = "some", dtype = "u8", shape = { 6, 9 }, axis = 1, lengths = { 2, 3, 4 }, outputs = { "a", false, "c" } },
  split "called: u8[500,9] @1 -> called_portable:4 called_any:5",
  split "in_groups: u8[50/100,8,9] @2 -> in_groups_apart:4 b:5",
  split { name = "strings", dtype = "string", shape = { 3, 5 }, axis = 1, lengths = { 2, 3 } },
}
