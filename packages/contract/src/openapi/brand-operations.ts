import { brandChangeBody, brandCreateBody, brandModelBody } from '../admin-brand-requests.ts'
import { adminListParameters } from '../parameters.ts'
import { body, bodyParameters, changeErrors, common, idOf } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export const brandBodies: Record<string, Schema> = {
  BrandCreate: bodyParameters(brandCreateBody),
  BrandChange: bodyParameters(brandChangeBody),
  BrandModel: bodyParameters(brandModelBody),
}

const brand = idOf('brand', 'brand_default')
const shownBrand = jsonResponse({ description: 'The brand.', schema: reference('schemas', 'Brand'), examples: {} })

export const brandOperations: Paths = {
  '/admin/v1/brands': {
    get: operation({
      ...common,
      id: 'listBrands',
      summary: 'List brands',
      description: 'Lists all brands with their hosts, models and limits, oldest first.',
      responses: { 200: jsonResponse({ description: 'The brands.', schema: reference('schemas', 'BrandList'), examples: {} }) },
    }),
    post: operation({
      ...common,
      id: 'createBrand',
      summary: 'Create a brand',
      description:
        'Creates a brand, which initially shows the catalogue unchanged. A request with an existing name returns that brand, ' +
        'unchanged.',
      body: body('BrandCreate', { name: 'Northern Lights', hosts: ['video.example.com'] }),
      responses: { 200: shownBrand, 201: shownBrand },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/brands/{id}': {
    get: operation({
      ...common,
      id: 'getBrand',
      summary: 'Show a brand',
      description: 'Returns one brand with its hosts, models and limits.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeBrand',
      summary: 'Change a brand',
      description:
        'Changes settings of the brand, such as its name, hosts, result links, appearance or limits. Omitted fields do not ' +
        'change.',
      parameters: [brand],
      body: body('BrandChange', { result_origin: 'https://media.example.com' }),
      responses: { 200: shownBrand },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/brands/{id}/models': {
    get: operation({
      ...common,
      id: 'listBrandModels',
      summary: 'List the models of a brand',
      description: 'Lists all models, including hidden ones, with their visibility, title and price in this brand.',
      parameters: [brand, ...queryParameters(adminListParameters)],
      responses: {
        200: jsonResponse({ description: 'A page of models.', schema: reference('schemas', 'BrandModelList'), examples: {} }),
      },
      errors: ['BadQuery', 'ResourceNotFound'],
    }),
    post: operation({
      ...common,
      id: 'setBrandModel',
      summary: 'Grant, show or hide a model',
      description: 'Sets the visibility and the title of a model in this brand.',
      parameters: [brand],
      body: body('BrandModel', { model: 'imgA_5.0Pro', visibility: 'invocable' }),
      responses: { 200: shownBrand },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/brands/{id}/models/{model}': {
    get: operation({
      ...common,
      id: 'getBrandModel',
      summary: 'Show a model of a brand',
      description: 'Returns the visibility, title and price of the model in this brand.',
      parameters: [
        brand,
        {
          name: 'model',
          in: 'path',
          required: true,
          description: 'The Model ID.',
          schema: { type: 'string' },
          example: 'imgA-5.0',
        },
      ],
      responses: {
        200: jsonResponse({
          description: 'The model.',
          schema: reference('schemas', 'BrandModelView'),
          examples: { model: examples.brandModel },
        }),
      },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/brands/{id}/default': {
    post: operation({
      ...common,
      id: 'makeBrandDefault',
      summary: 'Make a brand the default',
      description: 'Makes this brand the default, which serves all hosts that do not belong to a brand. The request has no body.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
}
