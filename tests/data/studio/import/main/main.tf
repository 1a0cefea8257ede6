# As most people write it: what there is only one of is called main.
resource "azurerm_resource_group" "main" {
  name     = "rg-shop"
  location = var.location
}

resource "azurerm_virtual_network" "main" {
  name                = "vnet-shop"
  address_space       = ["10.0.0.0/16"]
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
}

resource "azurerm_subnet" "main" {
  name                 = "snet-shop"
  resource_group_name  = azurerm_resource_group.main.name
  virtual_network_name = azurerm_virtual_network.main.name
  address_prefixes     = ["10.0.0.0/24"]
}

resource "azurerm_network_interface" "main_nic" {
  name                = "vm-shop-nic"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name

  ip_configuration {
    name                          = "internal"
    subnet_id                     = azurerm_subnet.main.id
    private_ip_address_allocation = "Dynamic"
  }
}

resource "azurerm_windows_virtual_machine" "main" {
  name                  = "vm-shop"
  resource_group_name   = azurerm_resource_group.main.name
  location              = azurerm_resource_group.main.location
  size                  = "Standard_D2s_v5"
  admin_username        = "keeper"
  admin_password        = var.machine_password
  network_interface_ids = [azurerm_network_interface.main_nic.id]

  os_disk {
    caching              = "ReadWrite"
    storage_account_type = "StandardSSD_LRS"
  }

  source_image_reference {
    publisher = "MicrosoftWindowsServer"
    offer     = "WindowsServer"
    sku       = "2022-datacenter-azure-edition"
    version   = "latest"
  }
}

resource "azurerm_mssql_server" "main" {
  name                         = "sql-shop-01"
  resource_group_name          = azurerm_resource_group.main.name
  location                     = azurerm_resource_group.main.location
  version                      = "12.0"
  administrator_login          = "shopadmin"
  administrator_login_password = var.server_password
}

resource "azurerm_mysql_flexible_server" "main" {
  name                   = "mysql-shop-01"
  resource_group_name    = azurerm_resource_group.main.name
  location               = azurerm_resource_group.main.location
  administrator_login    = "shopadmin"
  administrator_password = var.other_password
  sku_name               = "B_Standard_B1ms"
  version                = "8.0.21"
}

output "main_id" {
  value = azurerm_virtual_network.main.id
}

output "mssql_server_main_id" {
  value = azurerm_mssql_server.main.id
}

variable "location" {
  type    = string
  default = "westeurope"
}

variable "machine_password" {
  type      = string
  sensitive = true
}

variable "server_password" {
  type      = string
  sensitive = true
}

variable "other_password" {
  type      = string
  sensitive = true
}
