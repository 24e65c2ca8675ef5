-- Notation texts inside a spec; a text that is not a plain literal is a source of its own.
-- error@notation in notation.lua:22:1:13: unexpected ',', expected a name, a number or '*'
-- error@notation in notation.lua:24:1:13: unexpected '&', expected a name, a number, '*', '/', ',', ';' or the end of the text
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
-- note@nowhere: an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with three equal parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'
local width = "4"
return {
  -- error@+1:16: unexpected '->', expected '/', ']' or ','
  split "f32[4 -> 2,2",
  -- error@+1:17: unexpected '='; the arrow is written '->'
  split "f32[4] => 2,2",
  -- error@+3:13: unexpected 'x', expected a number
  split [[

    f32[4] @x -> 2,2
  ]],
  -- note@+1:3: the notation is made here
  split("f32[" .. width .. "] -> 2,,2"),
  -- note@+1:3: the notation is made here
  split "f32[4]\x20-> 2 &",
  -- error@+1:14: unexpected ':', expected '['
  split 'a: b: f32[4] -> /2',
  -- error@+1:10: unexpected end of the text, expected a name or an element type
  split "",
}
