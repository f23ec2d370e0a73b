import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgramPackage } from './build-program-package.ts'
import { buildAiSdkProviderPackage, buildSdkPackage } from './build-library-package.ts'
import { prebuiltFolder } from './built-program.ts'

export interface PublishedPackage {
  name: string
  /** Folder in which `npm run build` builds the package. */
  folder: string
  build: (folder: string) => Promise<void> | void
}

/** The packages to publish. The other workspaces are part of `framegate`. */
const publishedPackages: readonly PublishedPackage[] = [
  {
    name: 'framegate',
    folder: folderOf('cli'),
    build: prebuiltFolder === undefined ? buildProgramPackage : copyPrebuilt(prebuiltFolder),
  },
  { name: '@framegate/sdk', folder: folderOf('sdk'), build: buildSdkPackage },
  {
    name: '@framegate/ai-sdk-provider',
    folder: folderOf('ai-sdk-provider'),
    build: (folder) => buildAiSdkProviderPackage(folder),
  },
]

function copyPrebuilt(source: string): (folder: string) => void {
  return (folder) => cpSync(source, folder, { recursive: true })
}

function folderOf(workspace: string): string {
  return fileURLToPath(new URL(`../../packages/${workspace}/dist`, import.meta.url))
}

/**
 * Returns the packages with these names, or all packages if the list is empty. If a name is
 * unknown, prints the known names and returns null.
 */
export function selectPackages(names: readonly string[]): readonly PublishedPackage[] | null {
  const unknown = names.find((name) => !publishedPackages.some((published) => published.name === name))
  if (unknown !== undefined) {
    console.error(`There is no package "${unknown}"; known are ${publishedPackages.map(({ name }) => name).join(', ')}.`)
    return null
  }
  return publishedPackages.filter(({ name }) => names.length === 0 || names.includes(name))
}
