-- A constant of packed elements that a Concat joins to data.
-- run: exhaustively
-- options: --ops=concat
return openvino.load "packed_constant.xml"
