import { rewriteLockFiles } from './lock-file.ts'

// After `npm install`, which writes the engines of what it has added.
rewriteLockFiles()
