import type { Locator } from 'vitest/browser'

/** `padTo` is the file size in bytes. */
export async function createPicture({
  width = 64,
  height = 48,
  color = '#336699',
  type = 'image/jpeg',
  name = type === 'image/jpeg' ? 'foto.jpg' : `foto.${type.slice('image/'.length)}`,
  padTo,
}: {
  width?: number
  height?: number
  color?: string
  type?: 'image/jpeg' | 'image/png' | 'image/webp'
  name?: string
  padTo?: number
} = {}): Promise<File> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.fillStyle = color
  context.fillRect(0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type))
  if (!blob) throw new Error('The browser makes no picture')
  const rest = padTo === undefined ? [] : [new Uint8Array(padTo - blob.size)]
  return new File([blob, ...rest], name, { type })
}

/** The picture has two frames (RFC 9649 §2.7), first blue, then red. */
export async function createAnimatedWebp(): Promise<File> {
  const frame = async (color: string) => {
    const still = await createPicture({ width: 64, height: 48, color, type: 'image/webp' })
    const bytes = new Uint8Array(await still.arrayBuffer())
    // Browsers may write other chunks before the pixels.
    for (let at = 12; ; ) {
      const size = new DataView(bytes.buffer).getUint32(at + 4, true)
      const end = at + 8 + size + (size & 1)
      if (/^VP8[ L]$/.test(String.fromCharCode(...bytes.subarray(at, at + 4)))) return bytes.subarray(at, end)
      at = end
    }
  }
  const chunk = (name: string, ...bodies: Uint8Array[]) => {
    const body = bodies.flatMap((part) => [...part])
    const size = new Uint8Array(new Uint32Array([body.length]).buffer)
    return new Uint8Array([...new TextEncoder().encode(name), ...size, ...body])
  }
  const size24 = (value: number) => [value & 255, value >> 8, 0]
  const box = [...size24(63), ...size24(47)]
  const frames = await Promise.all(['#0000ff', '#ff0000'].map(frame))
  const body = [
    chunk('VP8X', new Uint8Array([0x02, 0, 0, 0, ...box])),
    chunk('ANIM', new Uint8Array(6)),
    ...frames.map((bits) =>
      chunk('ANMF', new Uint8Array([...size24(0), ...size24(0), ...box, 100, 0, 0, 0]), bits),
    ),
  ]
  const whole = chunk('RIFF', new TextEncoder().encode('WEBP'), ...body)
  return new File([whole], 'baila.webp', { type: 'image/webp' })
}

export const textFile = (name: string, type: string, content = 'no es una foto') =>
  new File([content], name, { type })

export function chooseFiles(input: Locator | HTMLInputElement, ...files: File[]): void {
  const element = input instanceof HTMLInputElement ? input : (input.element() as HTMLInputElement)
  element.files = transferOf(files).files
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

export function dropFiles(element: Element, ...files: File[]): void {
  for (const type of ['dragenter', 'dragover', 'drop']) dragFiles(element, type, ...files)
}

export function dragFiles(element: Element, type: string, ...files: File[]): void {
  const dataTransfer = transferOf(files)
  element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}

export function pasteFiles(...files: File[]): void {
  const clipboardData = transferOf(files)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

function transferOf(files: File[]): DataTransfer {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  return transfer
}

const marks = { red: '#d02020', green: '#20a040', blue: '#2040d0', white: '#f4f0ea' }

/** The 80-pixel red mark at the top left reveals leaked areas. 1200 × 900: green left, blue right, white below. */
export async function createMarkedPicture(name = 'foto.jpg'): Promise<File> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 1200, height: 900 })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  for (const [color, x, y, width, height] of [
    [marks.white, 0, 0, 1200, 900],
    [marks.green, 0, 0, 600, 600],
    [marks.blue, 600, 0, 600, 600],
    [marks.red, 0, 0, 80, 80],
  ] as const) {
    context.fillStyle = color
    context.fillRect(x, y, width, height)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.95))
  return new File([blob as Blob], name, { type: 'image/jpeg' })
}

async function readPixels(file: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(file)
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  if (!context) throw new Error('The browser draws no picture')
  context.drawImage(bitmap, 0, 0)
  return context.getImageData(0, 0, bitmap.width, bitmap.height)
}

/** The size with the orientation applied. */
export async function sizeOf(file: Blob): Promise<[number, number]> {
  const { width, height } = await createImageBitmap(file)
  return [width, height]
}

/** Names the colour at a relative position. */
export async function colorAt(file: Blob, x: number, y: number): Promise<string> {
  const { data, width, height } = await readPixels(file)
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4
  const distanceTo = (color: string) =>
    [1, 3, 5].reduce(
      (sum, from, n) =>
        sum + Math.abs((data[at + n] ?? 0) - Number.parseInt(color.slice(from, from + 2), 16)),
      0,
    )
  const [nearest] = Object.entries(marks).sort(([, one], [, other]) => distanceTo(one) - distanceTo(other))
  return nearest?.[0] ?? ''
}

export async function countRedPixels(file: Blob): Promise<number> {
  const { data } = await readPixels(file)
  let found = 0
  for (let at = 0; at < data.length; at += 4)
    if ((data[at] ?? 0) > 150 && (data[at + 1] ?? 0) < 90 && (data[at + 2] ?? 0) < 90) found += 1
  return found
}

export async function sha256(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
