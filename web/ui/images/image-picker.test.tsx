import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ImagePicker } from './image-picker.tsx'

const picker = (currentUrl?: string) =>
  renderToStaticMarkup(
    <ImagePicker id="photo" file={null} currentUrl={currentUrl} onChoose={() => {}} onRefuse={() => {}} />,
  )

test('UPL-02 UPL-04 on a phone the visible text does not mention dragging, and the text for screen readers is unchanged', () => {
  for (const [wide, narrow] of [
    ['Drag photo here', 'Add a photo'],
    ['SVG, PNG, JPG', 'PNG or JPG'],
    ['Select from computer', 'Choose a photo'],
  ])
    expect(picker()).toContain(
      `<span class="max-md:sr-only">${wide}</span><span aria-hidden="true" data-generated="${narrow}" class="md:hidden"></span>`,
    )
  expect(picker('/picture')).toContain('>Click or drag photo to replace</span>')
})
