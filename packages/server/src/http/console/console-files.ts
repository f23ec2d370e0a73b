import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { LargeFile } from '../responses/large-file.ts'

/**
 * The manifest that the console's build writes. All values are names of files in the folder
 * `files`.
 */
export interface ConsoleManifest {
  /** Script that sets the theme before the page is drawn. */
  theme: string
  script: string
  style: string
  /** Chunks that the script imports statically. */
  preloads: readonly string[]
}

export interface ConsoleFiles {
  manifest: ConsoleManifest
  /** Files by name, with their content types. */
  files: ReadonlyMap<string, ConsoleFile>
}

export interface ConsoleFile {
  contentType: string
  file: LargeFile
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const builtFolderUrl = new URL('../../../../console/dist/', import.meta.url)

/** Reads the built console. In the repository, first builds it if its sources have changed. */
export async function readConsoleFiles(): Promise<ConsoleFiles> {
  const folder = fileURLToPath(builtFolderUrl)
  if (import.meta.url.endsWith('.ts')) {
    // A dynamic import, because the published program contains the built console but not its build
    // script.
    const buildScript = import.meta.resolve('@framegate/console/build')
    const { ensureConsole } = (await import(buildScript)) as { ensureConsole: () => Promise<void> }
    await ensureConsole()
  }
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as ConsoleManifest
  const names = await readdir(path.join(folder, 'files'))
  const files = await Promise.all(
    names.map(async (name) => [name, await readConsoleFile(path.join(folder, 'files', name))] as const),
  )
  return { manifest, files: new Map(files) }
}

async function readConsoleFile(file: string): Promise<ConsoleFile> {
  const uncompressed = await readFile(file)
  return {
    contentType: contentTypes[path.extname(file)] ?? 'application/octet-stream',
    file: {
      uncompressed,
      gzipped: await promisify(gzip)(uncompressed, { level: 9 }),
      etag: `"${hash('sha256', uncompressed, 'base64url')}"`,
    },
  }
}
