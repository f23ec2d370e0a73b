import {
  accountChangeBody,
  accountCreateBody,
  brandChangeBody,
  brandModelBody,
  grantBody,
  keyChangeBody,
  priceBody,
  type BodyFieldSchema,
} from '@framegate/contract'

/**
 * Rules for a map in the file: its fields, with their schemas from the operator's API, and its
 * nested lists of maps.
 */
export interface MapRules {
  required: readonly string[]
  fields: Readonly<Record<string, BodyFieldSchema>>
  lists: Readonly<Record<string, MapRules>>
}

const yearLikeMax = 99_999_999

const id = {
  type: 'string',
  minLength: 1,
  means: 'the id of an existing object',
  description: 'The id of an existing object. Needed only to change its name; without an id, the name identifies the object.',
}

/**
 * Schema of a time. The file may contain a date, which is converted to Unix seconds. Numbers up to
 * `yearLikeMax` are rejected, because they look like years (2027) or dates (20270101).
 */
const time = (field: BodyFieldSchema | undefined) => ({
  ...field,
  not: { type: 'integer', minimum: 1, maximum: yearLikeMax },
  means: 'a time such as 2027-01-01 or 2027-01-01T12:00Z, or Unix seconds',
  description: field?.description ?? '',
})

const price: MapRules = {
  required: ['model', 'price'],
  fields: {
    model: priceBody.properties['model'] ?? id,
    price: priceBody.properties['price'] ?? id,
    effective_at: time(priceBody.properties['effective_at']),
  },
  lists: {},
}

/** The fields of a brand, without `move_hosts`, which is an option of a request. */
const { move_hosts: _, ...brandSettings } = brandChangeBody.properties

const brand: MapRules = {
  required: ['name'],
  fields: {
    id,
    ...brandSettings,
    logo: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 4096,
      means: 'the path of an image, or null',
      description: 'Path of an image, relative to the folder of this file.',
    },
    default: { type: 'boolean', means: 'true or false', description: 'Whether the brand serves hosts that belong to no brand.' },
  },
  lists: {
    models: { required: ['model'], fields: brandModelBody.properties, lists: {} },
    prices: price,
  },
}

const account: MapRules = {
  required: ['name'],
  fields: {
    id,
    ...accountChangeBody.properties,
    brand: { ...accountCreateBody.properties['brand'], means: 'the name or the id of a brand', description: '' },
    status: { type: 'string', enum: ['active', 'suspended'], means: 'active or suspended', description: '' },
  },
  lists: {
    grants: {
      required: ['reference', 'amount'],
      fields: { ...grantBody.properties, expires_at: time(grantBody.properties['expires_at']) },
      lists: {},
    },
    keys: {
      required: ['name'],
      fields: { ...keyChangeBody.properties, expires_at: time(keyChangeBody.properties['expires_at']) },
      lists: {},
    },
    prices: price,
  },
}

/** The sections that `framegate apply` reads. The service reads other sections of the same file. */
export const sections: Readonly<Record<string, MapRules>> = { brands: brand, accounts: account, prices: price }
