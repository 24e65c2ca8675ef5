-- A model that does not exist.
-- error@+1:22: there is no file to load here; looked for 'model.xml', 'lib/model.xml'
return openvino.load("model.xml")
-- args: -I lib
