output "shop_default_hostname" {
  value = azurerm_linux_web_app.shop.default_hostname
}

output "database" {
  description = "For the operators"
  value       = azurerm_mssql_database.orders.id
}
