export interface ButtonProps {
  label: string;
  tone?: 'primary' | 'quiet' | 'danger';
  size?: 'sm' | 'md' | 'lg';
  disabled?: boolean;
  onClick?: () => void;
}

export function Button({ label, tone = 'primary', size = 'md', disabled = false, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${tone} button-${size}`}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

Button.kinds = ['primary', 'quiet', 'danger'];
