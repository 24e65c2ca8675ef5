# all_kinds: the words of --emit.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../generator/driver/kinds.inc" all_kinds REGEX "^KIND[(]")
list(TRANSFORM all_kinds REPLACE "^KIND[(][A-Z0-9_]+, *\"([^\"]+)\".*$" "\\1")
