import { describe, expect, it } from 'vitest'
import { createDialRules, isForbiddenWithoutLookup } from './dial-rules.ts'

const hostOf = (url: string) => new URL(url).hostname
const isForbidden = (host: string, allowHosts: string[] = []) => isForbiddenWithoutLookup(host, null, createDialRules(allowHosts))

describe('hosts without an entry of the operator', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://①②⑦.⓪.⓪.①',
    'http://0.0.0.0',
    'http://0',
    'http://10.0.0.1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.1',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://100.100.100.200',
    'http://192.0.0.192',
    'http://192.0.2.1',
    'http://198.18.0.1',
    'http://198.51.100.1',
    'http://203.0.113.1',
    'http://192.88.99.1',
    'http://224.0.0.1',
    'http://240.0.0.1',
    'http://255.255.255.255',
    'http://168.63.129.16',
    'http://[::]',
    'http://[::1]',
    'http://[fe80::1]',
    'http://[fc00::1]',
    'http://[fd00:ec2::254]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:8.8.8.8]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[64:ff9b:1::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[2001:0:7f00:1::]',
    'http://[2001:db8::1]',
    'http://[100::1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://films.localhost',
    'http://printer.local',
    'http://metadata.google.internal',
    'http://router.lan',
    'http://nas.home.arpa',
    'http://redis',
  ])('the host of %s is forbidden', (url) => {
    expect(isForbidden(hostOf(url))).toBe(true)
  })

  it.each([
    'http://8.8.8.8',
    'http://172.15.0.1',
    'http://172.32.0.1',
    'http://100.63.255.255',
    'http://100.128.0.1',
    'http://[2606:4700:4700::1111]',
    'http://example.com',
    'http://example.com.',
    'http://internal.example.com',
    'http://127.0.0.1.nip.io',
    'http://локальный.example',
  ])('the host of %s is not forbidden', (url) => {
    expect(isForbidden(hostOf(url))).toBe(false)
  })
})

describe('entries of the operator', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1:9000'],
    ['10.9.8.7', '10.0.0.0/8'],
    ['[fd00::5]', 'fd00::/8'],
    ['[fd00::5]', 'fd00::5'],
    ['[fd00::5]', '[fd00::5]'],
    ['[fd00::5]', '[fd00::5]:9000'],
    ['minio', 'minio'],
    ['minio', ' MinIO:9000 '],
    ['localhost', 'localhost'],
    ['comfy.internal', 'comfy.internal'],
  ])('the host %s is allowed by the entry %j', (host, entry) => {
    expect(isForbidden(host, ['unrelated.example', entry])).toBe(false)
  })

  it.each([
    ['127.0.0.2', '127.0.0.1'],
    ['10.2.0.1', '10.1.0.0/16'],
    ['[::ffff:10.0.0.1]', '10.0.0.0/8'],
    ['localhost', '127.0.0.1'],
    ['minio2', 'minio'],
    ['x.comfy.internal', 'comfy.internal'],
  ])('the host %s is not allowed by the entry %j', (host, entry) => {
    expect(isForbidden(host, [entry])).toBe(true)
  })

  it('an entry with a port allows that port only', () => {
    const rules = createDialRules(['minio:9000', '127.0.0.1:6379', '10.0.0.0/8'])
    expect(rules.isListedName('minio', 9000)).toBe(true)
    expect(rules.isListedName('minio', 9001)).toBe(false)
    expect(rules.allowsAddress('127.0.0.1', 6379)).toBe(true)
    expect(rules.allowsAddress('127.0.0.1', 80)).toBe(false)
    expect(rules.allowsAddress('10.1.1.1', 80)).toBe(true)
  })

  it('the port of another protocol is allowed only by an entry that names it', () => {
    const rules = createDialRules(['minio', '127.0.0.1:6379', '10.0.0.0/8'])
    expect(rules.allowsPort('127.0.0.1', 6379)).toBe(true)
    expect(rules.allowsPort('10.0.0.1', 6379)).toBe(false)
    expect(rules.allowsPort('minio', 22)).toBe(false)
    expect(rules.allowsPort('minio', 9000)).toBe(true)
    expect(rules.allowsPort('example.com', 443)).toBe(true)
  })

  it.each([
    ['minio', ['minio', 'minio:6379']],
    ['minio', ['minio:6379', 'minio']],
    ['10.1.2.3', ['10.0.0.0/8', '10.1.2.3:6379']],
    ['10.1.2.3', ['10.1.2.3:6379', '10.0.0.0/8']],
  ])('the port of another protocol at %s is allowed by one of the entries %j', (host, entries) => {
    const rules = createDialRules(entries)
    expect(rules.allowsPort(host, 6379)).toBe(true)
    expect(rules.allowsPort(host, 22)).toBe(false)
  })

  it.each(['', 'http://minio', 'minio:0', 'minio:99999', 'minio:port', '10.0.0.0/33', 'a b', '-x', 'a/b'])(
    'the entry %j is rejected',
    (entry) => {
      expect(() => createDialRules([entry])).toThrow('is not a host, host:port, address or range')
    },
  )
})
