import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const licenseFilePattern = /^(licen[cs]e|copying|notice)/i
const packageFolderPattern = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

interface Manifest {
  name: string
  version: string
  license?: string
}

/**
 * Returns the names, versions and license texts of the packages that the files belong to. The
 * licenses require that these texts accompany every copy of the code.
 */
export function thirdPartyNotices(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolderPattern.exec(file)?.[0] ?? []))
  const notices = [...folders].map(readNotice).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const heading =
    'This program contains code of the following packages. Their sources are in the npm registry, by name and version.'
  return [heading, ...notices.map(({ text }) => text)].join(`\n\n${'-'.repeat(80)}\n\n`)
}

function readNotice(folder: string): { name: string; text: string } {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
  if (license === undefined) throw new Error(`${name} names no license in its package.json.`)
  const texts = readdirSync(folder)
    .filter((file) => licenseFilePattern.test(file) && existsSync(path.join(folder, file)))
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return { name, text: [`${name} ${version} (${license})`, ...texts].join('\n\n') }
}
