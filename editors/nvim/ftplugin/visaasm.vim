setlocal commentstring=//\ %s
setlocal iskeyword=@,48-57,_,$,@-@,?,%
