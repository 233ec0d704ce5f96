import { type LucideIcon, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { type Appearance, chooseAppearance, readAppearance } from '#web/appearance/appearance.ts'
import { Select } from '#web/forms/select.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { cx } from '#web/ui/cx.ts'
import { SettingsBox, SettingsNote } from './settings-box.tsx'

const themeOptions: readonly { theme: Appearance['theme']; label: string; icon: LucideIcon }[] = [
  { theme: undefined, label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
]

const textSizes = [
  { size: '', label: 'Normal' },
  { size: '112', label: 'Large' },
  { size: '125', label: 'Larger' },
  { size: '150', label: 'Largest' },
]

/** Chooses how the pages look on this device; each choice shows at once. */
export function AppearanceSection() {
  const [appearance, setAppearance] = useState(readAppearance)

  function choose(choice: Partial<Record<keyof Appearance, string | undefined>>): void {
    // Another tab may have chosen something else meanwhile.
    const chosen: Appearance = JSON.parse(JSON.stringify({ ...appearance, ...readAppearance(), ...choice }))
    setAppearance(chosen)
    chooseAppearance(chosen)
  }

  return (
    <>
      <ThemeChoice theme={appearance.theme} onChoose={(theme) => choose({ theme })} />
      <SettingsBox>
        <ChoiceRow label="Larger text" text="On top of what your browser does.">
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
        <ChoiceRow label="Less motion" text="Nothing slides or shimmers, whatever your system says.">
          {(labelId) => (
            <Switch
              labelledBy={labelId}
              checked={appearance.motion === 'reduced'}
              onChange={(on) => choose({ motion: on ? 'reduced' : undefined })}
            />
          )}
        </ChoiceRow>
        <ChoiceRow label="Underline links">
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
        This holds on this device, also after you log out.
      </SettingsNote>
    </>
  )
}

type ThemeChoiceProps = { theme: Appearance['theme']; onChoose: (theme: Appearance['theme']) => void }

function ThemeChoice({ theme: chosen, onChoose }: ThemeChoiceProps) {
  const name = useId()
  return (
    <fieldset className="card mb-4 px-4 pt-4 pb-5 md:px-5">
      <legend className="heading float-left text-lead">Theme</legend>
      <p className="clear-left mb-3 text-label text-text-2">Dark rests your eyes at night.</p>
      <div className="flex rounded-full bg-sunken p-1">
        {themeOptions.map(({ theme, label, icon: Icon }) => (
          <label
            key={label}
            className={cx(
              'relative flex min-h-11 flex-1 items-center justify-center gap-2 rounded-full px-2 text-label font-[620]',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              theme === chosen
                ? 'bg-surface text-brand-text inset-ring-[1.5px] inset-ring-brand forced-colors:outline-2'
                : 'text-text-2',
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              checked={theme === chosen}
              onChange={() => onChoose(theme)}
            />
            <Icon aria-hidden size={18} strokeWidth={2} className="flex-none" />
            {label}
          </label>
        ))}
      </div>
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
