import type { AssetImportBody } from '@framegate/contract'
import type { Assets } from '../assets/assets.ts'
import type { StoredAssetResult } from '../assets/store-asset.ts'
import { sanitizeFileName } from './bodies/upload-form.ts'

/** Fetches a file from a URL or a data URI, and stores it as an asset of the account. */
export async function storeFetched(
  assets: Pick<Assets, 'fetch' | 'store'>,
  accountNo: number,
  { url, name = lastSegment(url) }: AssetImportBody,
  signal: AbortSignal,
): Promise<StoredAssetResult> {
  await using receivedFile = await assets.fetch(accountNo, url, signal)
  return await assets.store({ accountNo, file: receivedFile, name: sanitizeFileName(name), param: 'url' })
}

/** Returns the last segment of a URL's path as a file name. It is empty for a data URI. */
function lastSegment(source: string): string {
  const path = /^https?:/i.test(source) ? (URL.parse(source)?.pathname ?? '') : ''
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  } catch {
    return ''
  }
}
