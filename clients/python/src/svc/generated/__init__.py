# Generated from the contract by clients/generate/generate.ts; do not edit.
