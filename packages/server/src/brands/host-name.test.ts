import { hostNameOf } from '@framegate/contract'
import { expect, it } from 'vitest'
import { readHostName } from './host-name.ts'

it.each([
  ['studio.example.com', 'studio.example.com'],
  ['Studio.Example.COM:8787', 'studio.example.com'],
  ['studio.example.com.', 'studio.example.com'],
  ['studio.example.com.:443', 'studio.example.com'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]:8787', '[::1]'],
  ['[2001:DB8::1]', '[2001:db8::1]'],
  ['', ''],
  [':80', ':80'],
  ['[', '['],
])('the Host header %j names the host %j', (header, name) => {
  expect(hostNameOf(header)).toBe(name)
})

it.each([
  ['studio.example.com', 'studio.example.com'],
  ['Studio.Example.COM.', 'studio.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['[2001:DB8::0001]', '[2001:db8::1]'],
])('the host %j is read as %j', (text, name) => {
  expect(readHostName(text)).toBe(name)
})

it.each([
  '',
  ' ',
  'https://a.example',
  'a.example/x',
  'a.example:80',
  'a@b.example',
  'a b',
  'a?b',
  '::1',
  '.',
  'a'.repeat(254),
  '*.a.example%',
])('the host %j is rejected', (text) => {
  expect(() => readHostName(text)).toThrow('A host must be a name such as studio.example.com')
})
