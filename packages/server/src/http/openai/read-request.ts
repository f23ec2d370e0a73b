import type { FastifyRequest } from 'fastify'
import type { ReceivedFile } from '../../assets/file-receiver.ts'
import type { Assets } from '../../assets/assets.ts'
import type { StoredAssetResult } from '../../assets/store-asset.ts'
import { principalOf } from '../authorize.ts'
import { requireJsonObject } from '../bodies/json-body.ts'
import { readForm } from '../bodies/read-form.ts'
import { sanitizeFileName } from '../bodies/upload-form.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/** The fields of a request from its JSON or form body. */
export interface RequestFields {
  fields: Readonly<Record<string, unknown>>
  /** Whether the body was a form, in which all values are strings. */
  isForm: boolean
  /** Removes the assets that were created from files of the form. Called if the request fails. */
  removeFiles(): Promise<void>
}

export const formType = 'multipart/form-data'

/** Maximum size of a form with all of its files. */
const formBytesMax = 512 * 1024 * 1024

/**
 * Reads a JSON or form body. Each file of a form becomes an asset of the account, and the value of
 * its field becomes `asset:ID`.
 */
export function readRequest(
  dependencies: Pick<HttpDependencies, 'assets' | 'incoming'>,
  request: FastifyRequest,
): RequestFields | Promise<RequestFields> {
  if (isForm(request)) return readFormRequest(dependencies, request)
  return { fields: withoutNulls(requireJsonObject(request)), isForm: false, removeFiles: removeNothing }
}

/** Omits the fields with the value null, which OpenAI's clients send for options without a value. */
function withoutNulls(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

const removeNothing = async (): Promise<void> => {}

async function readFormRequest(
  { assets, incoming }: Pick<HttpDependencies, 'assets' | 'incoming'>,
  request: FastifyRequest,
): Promise<RequestFields> {
  const { accountNo } = principalOf(request)
  const receive = assets.receive.bind(assets, accountNo)
  const { fields, files } = await readForm<ReceivedFile>(request.raw, { bytesMax: formBytesMax, pace: incoming.pace, receive })
  const storedAssets: StoredAssetResult[] = []
  const removeFiles = () => discardAssets(assets, storedAssets)
  try {
    await request.reauthorize?.(request)
    for (const { field, file, fileName } of files) {
      const storedAsset = await assets.store({ accountNo, file, name: sanitizeFileName(fileName ?? ''), param: field })
      storedAssets.push(storedAsset)
      fields.add(field, `asset:${storedAsset.asset.id}`)
    }
  } catch (cause) {
    await removeFiles()
    throw cause
  } finally {
    await Promise.all(files.map(({ file }) => file[Symbol.asyncDispose]()))
  }
  return { fields: fields.read(), isForm: true, removeFiles }
}

function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith(formType) === true
}

async function discardAssets(assets: Pick<Assets, 'discard'>, storedAssets: readonly StoredAssetResult[]): Promise<void> {
  await Promise.all(storedAssets.map((storedAsset) => assets.discard(storedAsset)))
}
