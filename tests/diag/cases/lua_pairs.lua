-- Keys without an order.
-- error@+1:12: a table with a table as a key has no order to walk in
for key in pairs { [{}] = 1 } do
  error(key)
end
