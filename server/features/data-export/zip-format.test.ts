import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkZipWithInstalledReaders } from '#scripts/harness/check-zip-with-installed-readers.ts'
import {
  renderCentralDirectoryHeader,
  renderEndOfCentralDirectory,
  renderLocalFileHeader,
  type ZipEntry,
} from './zip-format.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'juntas-zip-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = new Date('2026-11-22T10:30:14Z')
const textEntry = (name: string, content: string): ZipEntry & { content: Buffer } => {
  const bytes = Buffer.from(content)
  return { name, size: bytes.length, crc32: crc32(bytes), at, content: bytes }
}

/** A file without content stays a hole in the archive, which reads as zeros. */
function writeZip(name: string, entries: readonly (ZipEntry & { content?: Buffer })[]): string {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  let offset = 0
  const put = (bytes: Buffer) => {
    writeSync(file, bytes, 0, bytes.length, offset)
    offset += bytes.length
  }
  const lines = entries.map((entry) => {
    const line = renderCentralDirectoryHeader(entry, offset)
    put(renderLocalFileHeader(entry))
    if (entry.content) put(entry.content)
    else offset += entry.size
    return line
  })
  const startsAt = offset
  for (const line of lines) put(line)
  put(renderEndOfCentralDirectory({ entries: entries.length, startsAt, bytes: offset - startsAt }))
  ftruncateSync(file, offset)
  closeSync(file)
  return path
}

test('EXPT-02 a ZIP keeps Spanish names, empty files and times', () => {
  const path = writeZip('small.zip', [
    textEntry('LEEME.html', '<p>ñandú</p>'),
    textEntry('fotos/año 1.txt', 'a'),
    textEntry('vacío.txt', ''),
  ])
  for (const program of checkZipWithInstalledReaders(path))
    expect(['unzip', 'python3', '7z']).toContain(program)
  const listed = spawnSync('python3', [
    '-c',
    'import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.filename, i.file_size, i.date_time)',
    path,
  ])
  if (listed.error) return
  expect(listed.stdout.toString('utf8').trim().split('\n')).toEqual([
    'LEEME.html 14 (2026, 11, 22, 10, 30, 14)',
    'fotos/año 1.txt 1 (2026, 11, 22, 10, 30, 14)',
    'vacío.txt 0 (2026, 11, 22, 10, 30, 14)',
  ])
})

test('EXPT-11 a ZIP with a file larger than 4 GiB, or one that begins beyond 4 GiB, opens in every program', () => {
  const size = 2 ** 32 + 5
  const path = writeZip('large.zip', [
    { name: 'large.bin', size, crc32: 0, at },
    textEntry('behind.txt', 'detrás'),
  ])
  // If a program confused the two sizes, it would not find the second file.
  checkZipWithInstalledReaders(path, 'behind.txt')
  const listed = spawnSync('python3', [
    '-c',
    'import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.file_size, i.header_offset > 2 ** 32)',
    path,
  ])
  if (!listed.error) expect(listed.stdout.toString().trim().split('\n')).toEqual([`${size} False`, '7 True'])
})

test('EXPT-11 a ZIP with seventy thousand files opens in every program', () => {
  const entries = Array.from({ length: 70_000 }, (_, number) => textEntry(`f/${number}`, String(number)))
  checkZipWithInstalledReaders(writeZip('many.zip', entries))
})
