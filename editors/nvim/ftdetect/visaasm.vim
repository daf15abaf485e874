autocmd BufRead,BufNewFile *.visaasm setfiletype visaasm
