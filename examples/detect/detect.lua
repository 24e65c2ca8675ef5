-- A YOLO head: for each of 3 anchors and 20 x 20 cells the box (centre and size), the confidence that there is an
-- object, and a score for each of the 80 classes of COCO.
return split {
  name    = "yolo_head",
  dtype   = "f32",
  shape   = { 1, 3, 20, 20, 85 },
  axis    = -1,
  lengths = { 2, 2, 1, 80 },
  outputs = { "xy", "wh", "objectness", "classes" },
}
