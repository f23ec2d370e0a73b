import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packPackages } from './build/pack-packages.ts'
import { selectPackages } from './build/packages.ts'

/**
 * Builds and packs the packages to publish into tarballs. Names as arguments select some of them:
 *
 *   npm run pack -- --out FOLDER
 */
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
const packages = selectPackages(positionals)
if (values.out === undefined) console.error('The folder for the tarballs is missing: npm run pack -- --out FOLDER')
if (values.out === undefined || packages === null) {
  process.exitCode = 2
} else {
  // npm runs scripts in the folder of their package, wherever they were called from.
  const outputFolder = path.resolve(process.env['INIT_CWD'] ?? '.', values.out)
  mkdirSync(outputFolder, { recursive: true })
  for (const { file, bytes, fileCount } of await packPackages(packages, outputFolder)) {
    console.log(`${file}  ${(bytes / 1e6).toFixed(1)} MB, ${fileCount} files`)
  }
}
