import { execFileSync, spawnSync } from 'node:child_process'

const readers: readonly {
  program: string
  version: string[]
  check: (path: string, ...names: string[]) => string[]
}[] = [
  { program: 'unzip', version: ['-v'], check: (path, ...names) => ['-t', '-qq', path, ...names] },
  {
    program: 'python3',
    version: ['--version'],
    check: (path, ...names) => [
      '-c',
      names.length === 0
        ? 'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1]) as z:\n  bad = z.testzip()\n  assert bad is None, bad'
        : 'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1]) as z:\n  for name in sys.argv[2:]: z.read(name)',
      path,
      ...names,
    ],
  },
  { program: '7z', version: ['i'], check: (path, ...names) => ['t', '-bd', path, ...names] },
]

/**
 * @param names the files to check, by default all
 * @returns the programs that read the archive @throws if one rejects it
 */
export function checkZipWithInstalledReaders(path: string, ...names: string[]): string[] {
  const installed = readers.filter(
    ({ program, version }) => spawnSync(program, version, { stdio: 'ignore' }).error === undefined,
  )
  for (const { program, check } of installed) execFileSync(program, check(path, ...names), { stdio: 'pipe' })
  return installed.map(({ program }) => program)
}

export function readZipFiles(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, local] = [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt32LE(at + 42),
    ]
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(begin, begin + size)
    files.set(bytes.subarray(at + 46, at + 46 + name).toString(), content)
    at += 46 + name + extra
  }
  return files
}
