import { rewriteLockFiles } from './lock-file.ts'

// Run this tool after `npm install`, which adds the engines of new packages.
rewriteLockFiles()
