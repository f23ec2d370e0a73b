import { previewKinds } from '@framegate/contract'
import { previewKey } from '../media/result-file-name.ts'

export interface StoredPreviewFile {
  name: string
  sizeBytes: number
  sha256: string
}

/**
 * Returns the previews that are recorded in a row of `results`. Rows of earlier versions have none.
 */
export function previewFilesOf(row: Readonly<Record<string, unknown>>): StoredPreviewFile[] {
  return previewKinds.flatMap((kind) => {
    const sizeBytes = Number(row[`${kind}_bytes`] ?? 0)
    const name = previewKey(String(row['object_key']), kind)
    return sizeBytes === 0 ? [] : [{ name, sizeBytes, sha256: String(row[`${kind}_sha256`]) }]
  })
}
