import { en } from '#contract/language.ts'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import { SettingsBox } from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useUpdatePrivacySettings } from '#web/features/people/privacy/mutations.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'

const ways = [
  { value: 'off', label: en('Off', 'Desactivada') },
  { value: 'leave', label: en('Leave', 'Salir') },
  { value: 'sign-out', label: en('Leave and log out', 'Salir y cerrar sesión') },
] as const

export function QuickExitSettingsBox({ settings: { quickExit } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = en('Quick exit', 'Salida rápida')
  return (
    <SettingsBox
      title={title}
      text={en(
        'A button on every page, or Shift three times: the page goes blank and another one opens. It does not erase your browser history.',
        'Un botón en cada página, o Mayúsculas tres veces: la página queda en blanco y se abre otra. No borra el historial de tu navegador.',
      )}
    >
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {ways.map(({ value, label }) => (
          <RadioOption
            key={value}
            name="quick-exit"
            label={label}
            checked={value === quickExit}
            onChoose={() => choose.mutate({ quickExit: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}
