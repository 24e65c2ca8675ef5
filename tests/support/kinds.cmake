# all_kinds: the words of --emit except those about a complete model, which are in model_kinds.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../generator/driver/kinds.inc" all_kinds REGEX "^KIND[(]")
list(TRANSFORM all_kinds REPLACE "^KIND[(][A-Z0-9_]+, *\"([^\"]+)\".*$" "\\1")
set(model_kinds ${all_kinds})
list(FILTER model_kinds INCLUDE REGEX "^placement")
list(FILTER all_kinds EXCLUDE REGEX "^placement")
