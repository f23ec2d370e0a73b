import { rewriteLockFiles } from './lock-file.ts'

// Run it after `npm install`, which adds the engines of new packages.
rewriteLockFiles()
