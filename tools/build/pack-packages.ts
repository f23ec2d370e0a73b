import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PublishedPackage } from './packages.ts'

const npmMsMax = 60_000

export interface Tarball {
  name: string
  file: string
  bytes: number
  fileCount: number
}

interface PackReport {
  filename: string
  size: number
  entryCount: number
}

/** Builds packages to publish and packs them into a folder. */
export async function packPackages(packages: readonly PublishedPackage[], outputFolder: string): Promise<Tarball[]> {
  const buildFolder = mkdtempSync(path.join(tmpdir(), 'framegate-pack-'))
  try {
    const tarballs: Tarball[] = []
    for (const { name, build } of packages) {
      const folder = path.join(buildFolder, name)
      await build(folder)
      tarballs.push({ name, ...pack(folder, outputFolder) })
    }
    return tarballs
  } finally {
    rmSync(buildFolder, { recursive: true })
  }
}

function pack(folder: string, outputFolder: string): Omit<Tarball, 'name'> {
  const json = execFileSync('npm', ['pack', '--json', '--pack-destination', outputFolder, folder], {
    encoding: 'utf8',
    timeout: npmMsMax,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Some npm versions print a list, others an object by name.
  const [report] = Object.values(JSON.parse(json) as Record<string, PackReport>)
  if (report === undefined) throw new Error(`npm has packed nothing from ${folder}.`)
  return { file: path.join(outputFolder, report.filename), bytes: report.size, fileCount: report.entryCount }
}
