/** Pictures made in the page, and how a test hands them to a form. */
import type { Locator } from 'vitest/browser'

/** A picture in one colour; `padTo` makes its file as large as that. */
export async function createPicture({
  width = 64,
  height = 48,
  color = '#336699',
  type = 'image/jpeg',
  name = type === 'image/png' ? 'foto.png' : 'foto.jpg',
  padTo,
}: {
  width?: number
  height?: number
  color?: string
  type?: 'image/jpeg' | 'image/png'
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

export const textFile = (name: string, type: string, content = 'no es una foto') =>
  new File([content], name, { type })

/** Hands files to a file input, as its dialog does. */
export function chooseFiles(input: Locator, ...files: File[]): void {
  const element = input.element() as HTMLInputElement
  element.files = transferOf(files).files
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Drops files on an element. */
export function dropFiles(element: Element, ...files: File[]): void {
  for (const type of ['dragenter', 'dragover', 'drop']) dragFiles(element, type, ...files)
}

export function dragFiles(element: Element, type: string, ...files: File[]): void {
  const dataTransfer = transferOf(files)
  element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}

/** Pastes files where the focus is. */
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
