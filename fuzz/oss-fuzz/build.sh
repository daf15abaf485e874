#!/bin/bash -eu
# Builds all fuzz targets for OSS-Fuzz, with their dictionaries and the inputs of the repository.

cd "$SRC/genvisa/fuzz"
cargo fuzz build -O --debug-assertions
for target in $(cargo fuzz list); do
  cp "target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
  for input in $(./inputs "$target"); do
    case $input in
      *.dict) cp "$input" "$OUT/$target.dict" ;;
      *) zip -q -j "$OUT/${target}_seed_corpus.zip" "$input"/* ;;
    esac
  done
done
