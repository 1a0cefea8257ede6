# The shop: one group, one plan, one app with its database.
resource "azurerm_resource_group" "main" {
  name     = "rg-shop"
  location = var.location
  tags     = local.tags
}

resource "azurerm_service_plan" "main" {
  name                = "asp-shop"
  resource_group_name = azurerm_resource_group.main.name
  location            = azurerm_resource_group.main.location
  os_type             = "Linux"
  sku_name            = "B1" # enough for now
  tags                = local.tags
}

resource "azurerm_linux_web_app" "shop" {
  name                = "${var.prefix}-shop"
  resource_group_name = azurerm_resource_group.main.name
  location            = azurerm_resource_group.main.location
  service_plan_id     = azurerm_service_plan.main.id
  https_only          = true

  site_config {
    always_on = false

    application_stack {
      node_version = "20-lts"
    }
  }

  app_settings = {
    "WEBSITE_RUN_FROM_PACKAGE" = "1"
  }

  lifecycle {
    ignore_changes = [app_settings]
  }

  tags = local.tags
}

resource "azurerm_mssql_server" "sql" {
  name                         = "sql-shop-01"
  resource_group_name          = "rg-shop"
  location                     = azurerm_resource_group.main.location
  version                      = "12.0"
  administrator_login          = "shopadmin"
  administrator_login_password = var.sql_password
  minimum_tls_version          = "1.2"
  tags                         = local.tags
}

resource "azurerm_mssql_database" "orders" {
  name      = "orders"
  server_id = azurerm_mssql_server.sql.id
  sku_name  = "S0"
  tags      = local.tags
}
