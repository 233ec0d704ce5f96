import { type LucideIcon, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { en } from '#contract/language.ts'
import { type Appearance, readAppearance, saveAppearance } from '#web/appearance/appearance.ts'
import { SegmentedRadio } from '#web/forms/segmented-radio.tsx'
import { Select } from '#web/forms/select.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { SettingsBox, SettingsNote } from './settings-box-and-rows.tsx'

const themeOptions: readonly { value: Appearance['theme']; label: string; icon: LucideIcon }[] = [
  { value: undefined, label: en('System', 'Sistema'), icon: Monitor },
  { value: 'light', label: en('Light', 'Claro'), icon: Sun },
  { value: 'dark', label: en('Dark', 'Oscuro'), icon: Moon },
]

const textSizes = [
  { size: '', label: en('Normal', 'Normal') },
  { size: '112', label: en('Large', 'Grande') },
  { size: '125', label: en('Larger', 'Más grande') },
  { size: '150', label: en('Largest', 'La más grande') },
]

export function AppearanceSection() {
  const [appearance, setAppearance] = useState(readAppearance)

  function choose(choice: Partial<Record<keyof Appearance, string | undefined>>): void {
    // Another tab may have changed the settings.
    const chosen: Appearance = JSON.parse(JSON.stringify({ ...appearance, ...readAppearance(), ...choice }))
    setAppearance(chosen)
    saveAppearance(chosen)
  }

  return (
    <>
      <LanguageChoice />
      <ThemeChoice theme={appearance.theme} onChoose={(theme) => choose({ theme })} />
      <SettingsBox>
        <ChoiceRow
          label={en('Larger text', 'Letra más grande')}
          text={en('Adds to your browser’s text size.', 'Se suma al tamaño de letra de tu navegador.')}
        >
          {(labelId) => (
            <Select
              aria-labelledby={labelId}
              className="w-36"
              value={appearance.text ?? ''}
              onChange={({ target }) => choose({ text: target.value || undefined })}
            >
              {textSizes.map(({ size, label }) => (
                <option key={size} value={size}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </ChoiceRow>
        <ChoiceRow
          label={en('Less motion', 'Menos movimiento')}
          text={en(
            'Turns animations off, even if your system allows them.',
            'Sin animaciones, aunque tu sistema las permita.',
          )}
        >
          {(labelId) => (
            <Switch
              labelledBy={labelId}
              checked={appearance.motion === 'reduced'}
              onChange={(on) => choose({ motion: on ? 'reduced' : undefined })}
            />
          )}
        </ChoiceRow>
        <ChoiceRow label={en('Underline links', 'Subrayar los enlaces')}>
          {(labelId) => (
            <Switch
              labelledBy={labelId}
              checked={appearance.links === 'underlined'}
              onChange={(on) => choose({ links: on ? 'underlined' : undefined })}
            />
          )}
        </ChoiceRow>
      </SettingsBox>
      <SettingsNote icon={Smartphone} color="plain">
        {en(
          'Applies on this device, even after you log out.',
          'Se aplica en este dispositivo, también después de cerrar sesión.',
        )}
      </SettingsNote>
      <p className="mt-4 px-1">
        <a
          href="/licences.txt"
          className="inline-flex min-h-11 items-center text-label text-text-2 underline underline-offset-4"
        >
          {en('Licences of the software and its fonts', 'Licencias del programa y de sus fuentes')}
        </a>
      </p>
    </>
  )
}

type ThemeChoiceProps = { theme: Appearance['theme']; onChoose: (theme: Appearance['theme']) => void }

function ThemeChoice({ theme, onChoose }: ThemeChoiceProps) {
  return (
    <fieldset className="card mb-4 px-4 pt-4 pb-5 md:px-5">
      <legend className="heading float-left text-lead">{en('Theme', 'Tema')}</legend>
      <p className="clear-left mb-3 text-label text-text-2">
        {en('Dark is easier on the eyes at night.', 'El oscuro cansa menos la vista de noche.')}
      </p>
      <SegmentedRadio options={themeOptions} chosen={theme} onChoose={onChoose} />
    </fieldset>
  )
}

type ChoiceRowProps = { label: string; text?: string; children: (labelId: string) => ReactNode }

function ChoiceRow({ label, text, children }: ChoiceRowProps) {
  const id = useId()
  return (
    <div className="flex min-h-[68px] items-center gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-[640]">
          {label}
        </p>
        {text && <p className="text-pretty text-label text-text-2">{text}</p>}
      </div>
      {children(id)}
    </div>
  )
}
