/**
 * The collector reads names and sizes without decoding. It never throws, because malformed parts are dropped
 * too.
 */
import { type RemovedMetadata, removedMetadataSchema } from '#contract/files/files.ts'
import { readExifMetadataKinds } from './exif-metadata-kinds.ts'

const xmpKinds: [kind: RemovedMetadata, names: string[]][] = [
  ['place', ['GPSLatitude', 'GPSLongitude', 'photoshop:City', 'LocationCreated', 'LocationShown']],
  ['camera', ['tiff:Make', 'tiff:Model', 'aux:Lens', 'aux:SerialNumber', 'exifEX:']],
  ['time', ['xmp:CreateDate', 'xmp:ModifyDate', 'DateTimeOriginal', 'photoshop:DateCreated']],
  ['text', ['dc:', 'photoshop:Headline', 'Iptc4xmp', 'exif:UserComment', 'lr:', 'crs:']],
  ['thumbnail', ['xmp:Thumbnails', 'xapGImg:', 'xmpGImg:']],
]

const resource = { iptc: 0x0404, thumbnail4: 0x0409, thumbnail: 0x040c, exif: 0x0422, xmp: 0x0424 }

/** The keys are IPTC datasets of the second record (IIM 4.2 §6). */
const iptcKinds: Record<number, RemovedMetadata> = {
  26: 'place',
  27: 'place',
  90: 'place',
  92: 'place',
  95: 'place',
  100: 'place',
  101: 'place',
  55: 'time',
  60: 'time',
  62: 'time',
  63: 'time',
}
const iptcTexts = new Set([5, 25, 40, 80, 85, 105, 110, 115, 116, 120, 122])

const blank = new Set([0, 9, 10, 13, 32])
const isBlank = (bytes: Buffer) => bytes.every((byte) => blank.has(byte))

/** Programs write one EXIF block, and sometimes a copy in a text. */
const maxExifBlocks = 4

/** In bytes. A regular expression that backtracks over megabytes can exceed the stack. */
const maxRawProfileHeader = 64

export function createRemovedMetadataCollector() {
  const found = new Set<RemovedMetadata>()
  let exifBlocks = 0

  function addXmp(packet: Buffer): void {
    const kinds = xmpKinds.filter(([, names]) => names.some((name) => packet.includes(name)))
    for (const [kind] of kinds) found.add(kind)
    if (kinds.length === 0) found.add('text')
  }

  function addIptc(datasets: Buffer): void {
    for (let at = 0; at + 5 <= datasets.length && datasets[at] === 0x1c; ) {
      const [record, number] = [datasets[at + 1], datasets[at + 2] as number]
      const kind = iptcKinds[number] ?? (iptcTexts.has(number) ? 'text' : undefined)
      if (record === 2 && kind) found.add(kind)
      at += 5 + datasets.readUInt16BE(at + 3)
    }
  }

  function addExif(tiff: Buffer): void {
    exifBlocks += 1
    if (exifBlocks > maxExifBlocks) return
    for (const kind of readExifMetadataKinds(tiff)) found.add(kind)
  }

  /**
   * Each Photoshop resource has '8BIM', a number, a name and a body. Name and body are padded to an even
   * length.
   */
  function addPhotoshopResources(bytes: Buffer): void {
    for (let at = 0; at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM'; ) {
      const number = bytes.readUInt16BE(at + 4)
      const name = 1 + (bytes[at + 6] as number)
      const size = at + 6 + name + (name % 2)
      if (size + 4 > bytes.length) return
      const length = bytes.readUInt32BE(size)
      const body = bytes.subarray(size + 4, size + 4 + length)
      if (number === resource.iptc) addIptc(body)
      if (number === resource.exif) addExif(body)
      if (number === resource.xmp) addXmp(body)
      if (number === resource.thumbnail || number === resource.thumbnail4) found.add('thumbnail')
      at = size + 4 + length + (length % 2)
    }
  }

  return {
    addExif,
    addXmp,
    addPhotoshopResources,
    /** A JPEG comment is free text. */
    addComment(text: Buffer): void {
      if (!isBlank(text)) found.add('text')
    },
    add: (kind: RemovedMetadata) => void found.add(kind),
    /**
     * Programs embed other formats as hexadecimal under special names.
     * @param text after inflating
     */
    addKeyword(keyword: string, text: Buffer): void {
      const profile = /^Raw profile type (exif|APP1|xmp|iptc|8bim)$/i.exec(keyword)?.[1]?.toLowerCase()
      if (profile) readRawProfile(profile, text)
      else if (keyword === 'XML:com.adobe.xmp') addXmp(text)
      else if (/^exif:GPS|^(?:GPS|Location)/i.test(keyword)) found.add('place')
      else if (/^(?:exif:DateTime|Creation Time$|Creation_Time$|date:)/i.test(keyword)) found.add('time')
      else if (/^(?:exif:|(?:Make|Model|Source)$)/i.test(keyword)) found.add('camera')
      else if (!isBlank(text)) found.add('text')
    },
    list: (): RemovedMetadata[] => removedMetadataSchema.options.filter((kind) => found.has(kind)),
  }

  /** Reads '\nexif\n    1234\n4578…': a name, a decimal length, and hexadecimal lines. */
  function readRawProfile(kind: string, text: Buffer): void {
    const header = /^\s*\w+\s+\d+/.exec(text.toString('latin1', 0, maxRawProfileHeader))?.[0] ?? ''
    const digits = text.toString('latin1', header.length).replaceAll(/\s/g, '')
    const bytes = Buffer.from(digits, 'hex')
    const start = bytes.toString('latin1', 0, 40)
    if (start.startsWith('Exif\0\0')) addExif(bytes.subarray(6))
    else if (kind === 'exif') addExif(bytes)
    else if (kind === 'xmp' || start.startsWith('http://ns.adobe.com/')) addXmp(bytes)
    else if (start.startsWith('8BIM')) addPhotoshopResources(bytes)
    else addIptc(bytes)
  }
}

export type RemovedMetadataCollector = ReturnType<typeof createRemovedMetadataCollector>
