import type { AdminBrand } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import type { FormField } from '../../parts/form-field.tsx'
import type { FormValues } from '../../parts/form-values.ts'
import { textOf } from '../../parts/text-of.ts'

/** Returns the form fields of a brand. A new brand has fewer. */
export function brandFields(isChange: boolean): readonly FormField[] {
  const t = texts.value.brands
  return [
    { name: 'name', label: t.name, kind: 'text', isRequired: true },
    { name: 'hosts', label: t.hosts, kind: 'text', hint: t.hostsHint, placeholder: 'videos.example.com' },
    { name: 'color', label: t.color, kind: 'color', placeholder: '#1a7f64' },
    { name: 'logo', label: t.logo, kind: 'image', hint: t.logoHint },
    ...(isChange
      ? ([
          {
            name: 'other_models',
            label: t.otherModels,
            kind: 'choice',
            choices: [
              ['catalogue', t.otherModelsNames.catalogue],
              ['hidden', t.otherModelsNames.hidden],
            ],
          },
          { name: 'result_origin', label: t.resultOrigin, kind: 'url', placeholder: 'https://media.example.com' },
        ] as const)
      : []),
  ]
}

export function valuesOfBrand(brand: AdminBrand): FormValues {
  const { logo: _logo, ...fields } = brand
  return { ...fields, hosts: brand.hosts.join(', ') }
}

/** Converts the values of the form to a request body. Splits the text of `hosts` into a list. */
export function bodyOfBrand(body: FormValues): FormValues {
  if (!('hosts' in body)) return body
  const hosts = textOf(body['hosts'])
    .split(/[\s,]+/)
    .filter((host) => host !== '')
  return { ...body, hosts }
}
