import { promisify } from 'node:util'
import { deflateSync, inflate } from 'node:zlib'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Brand } from './brand.ts'
import type { LogoPixels } from './logo-pixels.ts'

export interface NewLogo extends LogoPixels {
  /** Digest of the original file. */
  sha256: string
}

/** Maximum width and height of a stored logo in pixels. Pages and watermarks show it smaller. */
export const logoSideMax = 128
/** Maximum number of logos in memory, of at most 64 KiB each. */
const cachedLogosMax = 100

const inflateAsync = promisify(inflate)

export function upsertLogoQuery(database: Kysely<Tables>, brandId: string, { width, height, rgba }: NewLogo): CompiledQuery {
  const row = { width, height, pixels: deflateSync(rgba).toString('base64') }
  return database
    .insertInto('brand_logos')
    .values((builder) => ({ brand_no: builder.selectFrom('brands').select('no').where('id', '=', brandId), ...row }))
    .onConflict((conflict) => conflict.column('brand_no').doUpdateSet(row))
    .compile()
}

export function deleteLogoQuery(database: Kysely<Tables>, brandId: string): CompiledQuery {
  return database
    .deleteFrom('brand_logos')
    .where('brand_no', 'in', (builder) => builder.selectFrom('brands').select('no').where('id', '=', brandId))
    .compile()
}

/** Cache of recently read logos. */
export class LogoCache {
  readonly database: Kysely<Tables>
  readonly #cached = new Map<string, LogoPixels>()

  constructor(database: Kysely<Tables>) {
    this.database = database
  }

  async read({ no, logoSha256 }: Brand): Promise<LogoPixels | null> {
    if (logoSha256 === null) return null
    const cacheKey = `${no} ${logoSha256}`
    const logo = this.#cached.get(cacheKey) ?? (await this.#load(no, logoSha256))
    if (logo === null) return null
    this.#cached.delete(cacheKey)
    this.#cached.set(cacheKey, logo)
    for (const oldestKey of this.#cached.keys()) {
      if (this.#cached.size <= cachedLogosMax) break
      this.#cached.delete(oldestKey)
    }
    return logo
  }

  /**
   * Reads a logo from the database. Returns null if the logo has changed since the brand was read.
   */
  async #load(no: number, sha256: string): Promise<LogoPixels | null> {
    const row = await this.database
      .selectFrom('brand_logos as logo')
      .innerJoin('brands as brand', 'brand.no', 'logo.brand_no')
      .select(['logo.width', 'logo.height', 'logo.pixels'])
      .where('brand.no', '=', no)
      .where('brand.logo_sha256', '=', sha256)
      .executeTakeFirst()
    if (row === undefined) return null
    const { width, height, pixels } = row
    const bytesMax = logoSideMax * logoSideMax * 4
    const rgba = await inflateAsync(Buffer.from(pixels, 'base64'), { maxOutputLength: bytesMax })
    return { width, height, rgba: new Uint8Array(rgba) }
  }
}
