interface PriceProps {
  amount: number;
  currency?: 'EUR' | 'USD';
}

export function Price({ amount, currency = 'EUR' }: PriceProps) {
  const text = new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(amount);
  return <span className="price">{text}</span>;
}
