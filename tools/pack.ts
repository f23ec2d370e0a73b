import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packPackages } from './build/pack-packages.ts'

/** Builds the packages to publish and packs each into a tarball: `npm run pack -- --out FOLDER`. */
const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) {
  console.error('The folder for the tarballs is missing: npm run pack -- --out FOLDER')
  process.exitCode = 2
} else {
  // npm runs scripts in the folder of their package, wherever they were called from.
  const out = path.resolve(process.env['INIT_CWD'] ?? '.', values.out)
  mkdirSync(out, { recursive: true })
  for (const { file, bytes, files } of await packPackages(out)) {
    console.log(`${file}  ${(bytes / 1e6).toFixed(1)} MB, ${files} files`)
  }
}
