import type { PrivacySettings } from '#contract/privacy-settings.ts'
import { useUpdatePrivacySettings } from '#web/features/privacy/mutations.ts'
import { SettingsBox } from '#web/features/settings/settings-box.tsx'
import { RadioOption } from '#web/forms/radio-option.tsx'

const ways = [
  { value: 'off', label: 'Off' },
  { value: 'leave', label: 'Leave' },
  { value: 'sign-out', label: 'Leave and sign out' },
] as const

export function QuickExitBox({ settings: { quickExit } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = 'Quick exit'
  return (
    <SettingsBox
      title={title}
      text="A button on every page, or Shift three times: the page goes blank and another one opens. It does not clean your browser’s history of what you saw before."
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
