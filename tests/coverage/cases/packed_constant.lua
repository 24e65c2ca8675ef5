-- A constant of packed elements that is concatenated with data.
-- run: exhaustively
-- options: --ops=concat
return openvino.load "packed_constant.xml"
