-- Strings are pointers, whose size is the target's: bytes are counted with sizeof.
-- digest: c h
-- dump: plan,program
return split "words: string[2,5] @1 -> first:1 rest:4"
